import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from './command.ts'

/** @param text 0: any port that is free. @throws UsageError if it is none */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new UsageError(`--port is a number up to 65535, not ${text}`)
}

/** Listens at a port, and returns the address. @throws the error of Node if that is not possible */
export async function listenAt(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const { port: opened } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${opened}`
}

const bodyMax = 64 * 1024

/** The text of a request; null if it is too long. @throws the error of Node if it breaks off */
export async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > bodyMax) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
