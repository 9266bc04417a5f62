/** A name that nothing else has: 24 hexadecimal digits. crypto.randomUUID is missing on plain http. */
export function randomID(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
