/** What is left of a frame's header (RFC 6455, 5.2) once its first two bytes are read: the longer length and the mask. */
const lengthBytes = (short: number): number => (short === 126 ? 2 : short === 127 ? 8 : 0)
const maskBytes = 4

/**
 * Counts the WebSocket frames that begin in a client's bytes, of whatever kind: text, binary, fragments, pings, pongs
 * and empty ones. It reads headers alone and keeps its place between chunks, so that frames are counted before anything
 * is done with them.
 */
export function createFrameCounter(): (chunk: Uint8Array) => number {
  /** Bytes of the current header that came, and how many it has; the second byte tells. */
  let read = 0
  let headerBytes = 2
  let short = 0
  let masked = false
  let length = 0
  /** Payload still to come. */
  let payload = 0

  const readHeaderByte = (byte: number): void => {
    if (read === 1) {
      short = byte & 0x7f
      masked = (byte & 0x80) !== 0
      length = short < 126 ? short : 0
      headerBytes = 2 + lengthBytes(short) + (masked ? maskBytes : 0)
    } else if (read >= 2 && read < 2 + lengthBytes(short)) length = length * 256 + byte
    read += 1
    if (read < 2 || read < headerBytes) return
    payload = length
    read = 0
    headerBytes = 2
  }
  return (chunk) => {
    let frames = 0
    for (let i = 0; i < chunk.length;) {
      if (payload > 0) {
        const skipped = Math.min(payload, chunk.length - i)
        payload -= skipped
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
