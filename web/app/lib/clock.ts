// The server's clock, as well as this device can know it.

/**
 * Keeps the offset between the server's clock and the device's. Every reading bounds it: the server wrote its time after the
 * request was sent and before the answer came, so the offset lies between the two differences. The bounds of all readings
 * together are narrower than those of any one; the least round trip decides most of it. Times are Unix milliseconds.
 */
export class ServerClock {
  private low = -Infinity;
  private high = Infinity;
  private offset = 0;

  constructor(private readonly local: () => number = Date.now) {}

  /** The server's time now. Until the first reading it is the device's. */
  readonly now = (): number => this.local() + this.offset;

  /** Takes a reading: the server's time, when it was asked (-Infinity if it spoke unasked), and when the answer came. */
  read(server: number, asked: number, received: number): void {
    const low = server - received;
    const high = server - asked;
    if (low > this.high || high < this.low) {
      // The device's clock was set since the last reading: only the new one holds.
      this.low = low;
      this.high = high;
    } else {
      this.low = Math.max(this.low, low);
      this.high = Math.min(this.high, high);
    }
    this.offset = this.high === Infinity ? this.low : (this.low + this.high) / 2;
  }

  /** Believes, until the first reading, that the server's clock is ahead of the device's by so many milliseconds. */
  assume(ahead: number): void {
    this.offset = ahead;
  }

  /** After a sleep the clocks may have drifted: the next reading stands alone, the offset stays until then. */
  doubt(): void {
    this.low = -Infinity;
    this.high = Infinity;
  }
}
