/** The wire's own marks: engine.io "message" and socket.io "event" of the default namespace. */
const engineMessage = '4'
const socketEvent = '2'
const textFrame = 0x81

/** One event, encoded once and written to any number of sockets. */
export type EncodedFrame = {
  /** What engine.io takes where it frames by itself. */
  data: string
  bytes: number
  /** The frame in one piece: a header of its own would make each socket's write one of two parts. */
  options: { compress: false; wsPreEncodedFrame: [Buffer] }
}

/**
 * Encodes an event down to its WebSocket frame, so that a thousand sockets share the same bytes. `json` is the payload's
 * text; the frame is unmasked and uncompressed, as a server's frames are.
 */
export function encodeFrame(event: string, json: string): EncodedFrame {
  const data = `${socketEvent}["${event}",${json}]`
  const payload = Buffer.from(engineMessage + data)
  return {
    data,
    bytes: payload.length,
    options: {
      compress: false,
      wsPreEncodedFrame: [Buffer.concat([frameHeader(payload.length), payload])],
    },
  }
}

/** RFC 6455, 5.2: one final text frame; the length in 7 bits, else in 16 or 64. */
function frameHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([textFrame, length])
  if (length < 65_536) {
    const header = Buffer.from([textFrame, 126, 0, 0])
    header.writeUInt16BE(length, 2)
    return header
  }
  const header = Buffer.alloc(10)
  header[0] = textFrame
  header[1] = 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}
