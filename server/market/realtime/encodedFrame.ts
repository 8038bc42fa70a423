/** Packet types on the wire: engine.io "message" and socket.io "event" of the default namespace. */
const engineMessage = '4'
const socketEvent = '2'
const textFrame = 0x81

/** One event, encoded once and written to any number of sockets. */
export type EncodedFrame = {
  /** The whole frame: with a separate header each write to a socket would have two parts. */
  frame: Buffer
  /** The same as a packet for Engine.IO. */
  data: string
  options: { compress: false; wsPreEncodedFrame: [Buffer] }
}

/**
 * Encodes an event as a WebSocket frame, so that a thousand sockets share the same bytes. The frame is unmasked and
 * uncompressed.
 * @param json the payload
 */
export function encodeFrame(event: string, json: string): EncodedFrame {
  const data = `${socketEvent}["${event}",${json}]`
  const payload = Buffer.from(engineMessage + data)
  const frame = Buffer.concat([frameHeader(payload.length), payload])
  return { frame, data, options: { compress: false, wsPreEncodedFrame: [frame] } }
}

/** The header of one final text frame (RFC 6455, 5.2); the length has 7, 16 or 64 bits. */
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
