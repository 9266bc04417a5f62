import assert from "node:assert/strict";
import { test } from "node:test";
import { type MediaKind, refusal, replyOf, typesOf } from "./upload";

const all: MediaKind[] = ["image", "audio", "video"];
const mb = 1 << 20;

const files: { name: string; file: { type: string; size: number }; taken: MediaKind[]; says: RegExp | undefined }[] = [
  { name: "a picture", file: { type: "image/png", size: 5 * mb }, taken: all, says: undefined },
  { name: "a picture, where only pictures go", file: { type: "image/png", size: 1 }, taken: ["image"], says: undefined },
  { name: "a film", file: { type: "video/mp4", size: 50 * mb }, taken: all, says: undefined },
  { name: "a large picture", file: { type: "image/png", size: 5 * mb + 1 }, taken: all, says: /^A picture may have 5 MB at most; this one has 5.1 MB/ },
  { name: "a large sound", file: { type: "audio/mpeg", size: 20 * mb }, taken: all, says: /^A sound may have 15 MB at most; this one has 20 MB/ },
  { name: "nothing", file: { type: "audio/mpeg", size: 0 }, taken: all, says: /empty/ },
  { name: "a sound, where only pictures go", file: { type: "audio/mpeg", size: 1 }, taken: ["image"], says: /^Choose a picture: JPEG/ },
  { name: "SVG", file: { type: "image/svg+xml", size: 1 }, taken: all, says: /^Choose a picture \(/ },
  { name: "what the browser does not know", file: { type: "", size: 1 }, taken: all, says: /^Choose/ },
];

for (const { name, file, taken, says } of files) {
  test(`chosen: ${name}`, () => {
    const said = refusal(file, taken);
    if (says) assert(says.test(said ?? ""), said);
    else assert.equal(said, undefined);
  });
}

test("a file field offers what is taken", () => {
  assert.equal(typesOf(["image"]), "image/jpeg,image/png,image/gif,image/webp");
  assert.equal(typesOf(all).split(",").length, 13);
});

test("replies are understood", () => {
  assert.deepEqual(replyOf(201, { id: "a", kind: "image", type: "image/png", size: 3, width: 1, height: 1 }), { media: { id: "a", kind: "image" } });
  assert.deepEqual(replyOf(422, { detail: "The picture cannot be read." }), { reason: "The picture cannot be read." });
  for (const [status, says] of [[401, /signed out/], [502, /Try again/]] as const) {
    const reply = replyOf(status, null);
    assert("reason" in reply && says.test(reply.reason));
  }
});
