import { connect as connectTcp, type Socket as TcpSocket } from 'node:net'

/** A masked text frame, as a client must send it. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > 125) throw new Error('short frames only')
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/**
 * Opens a raw connection. `first` is the first chunk of the response.
 * @param query added to the address
 */
export async function openRawSocket(
  url: string,
  headers: readonly string[] = [],
  query = '',
): Promise<{ tcp: TcpSocket; first: string }> {
  const tcp = connectTcp(Number(new URL(url).port), '127.0.0.1')
  tcp.on('error', () => undefined)
  tcp.write(
    [
      `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  )
  const first = await new Promise<string>((resolve) => {
    tcp.once('data', (data) => resolve(data.toString('latin1')))
  })
  return { tcp, first }
}
