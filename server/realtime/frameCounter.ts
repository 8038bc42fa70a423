/** The part of a frame's header (RFC 6455, 5.2) after its first two bytes: an extended length and the mask. */
const extendedLengthBytes = (shortLength: number): number =>
  shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0
const maskBytes = 4

/**
 * Counts the WebSocket frames that start in a client's bytes, of any kind: text, binary, fragments, pings, pongs and
 * empty ones. It parses only headers and keeps its state between chunks, so that frames are counted before they are
 * processed.
 */
export function createFrameCounter(): (chunk: Uint8Array) => number {
  /** Bytes read of the current header, and its size, which is known after the second byte. */
  let read = 0
  let headerBytes = 2
  /** The 7-bit length of the second byte; 126 and 127 announce an extended length. */
  let shortLength = 0
  let length = 0
  /** Payload bytes of the current frame that are not read yet. */
  let remaining = 0

  const readHeaderByte = (byte: number): void => {
    if (read === 1) {
      shortLength = byte & 0x7f
      const isMasked = (byte & 0x80) !== 0
      length = shortLength < 126 ? shortLength : 0
      headerBytes = 2 + extendedLengthBytes(shortLength) + (isMasked ? maskBytes : 0)
    } else if (read >= 2 && read < 2 + extendedLengthBytes(shortLength)) length = length * 256 + byte
    read += 1
    if (read < 2 || read < headerBytes) return
    remaining = length
    read = 0
    headerBytes = 2
  }
  return (chunk) => {
    let frames = 0
    for (let i = 0; i < chunk.length;) {
      if (remaining > 0) {
        const skipped = Math.min(remaining, chunk.length - i)
        remaining -= skipped
        i += skipped
        continue
      }
      if (read === 0) frames += 1
      readHeaderByte(chunk[i] ?? 0)
      i += 1
    }
    return frames
  }
}
