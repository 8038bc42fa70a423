/** The part of a frame's header (RFC 6455, 5.2) after its first two bytes: an extended length and the mask. */
const extendedLengthBytes = (shortLength: number): number =>
  shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0
const maskBytes = 4

/**
 * Counts the WebSocket frames that start in a client's bytes, of any kind: text, binary, fragments, pings, pongs and
 * empty ones. It parses only headers and keeps its state between chunks, so that frames are counted before they are
 * processed.
 */
export class FrameCounter {
  /** Bytes read of the current header, and its size, which is known after the second byte. */
  #read = 0
  #headerBytes = 2
  /** The 7-bit length of the second byte; 126 and 127 announce an extended length. */
  #shortLength = 0
  #length = 0
  /** Payload bytes of the current frame that are not read yet. */
  #remaining = 0

  count(chunk: Uint8Array): number {
    let frames = 0
    for (let i = 0; i < chunk.length;) {
      if (this.#remaining > 0) {
        const skipped = Math.min(this.#remaining, chunk.length - i)
        this.#remaining -= skipped
        i += skipped
        continue
      }
      if (this.#read === 0) frames += 1
      this.#readHeaderByte(chunk[i] ?? 0)
      i += 1
    }
    return frames
  }

  #readHeaderByte(byte: number): void {
    const extended = extendedLengthBytes(this.#shortLength)
    if (this.#read === 1) {
      this.#shortLength = byte & 0x7f
      const isMasked = (byte & 0x80) !== 0
      this.#length = this.#shortLength < 126 ? this.#shortLength : 0
      this.#headerBytes = 2 + extendedLengthBytes(this.#shortLength) + (isMasked ? maskBytes : 0)
    } else if (this.#read >= 2 && this.#read < 2 + extended) this.#length = this.#length * 256 + byte
    this.#read += 1
    if (this.#read < 2 || this.#read < this.#headerBytes) return
    this.#remaining = this.#length
    this.#read = 0
    this.#headerBytes = 2
  }
}
