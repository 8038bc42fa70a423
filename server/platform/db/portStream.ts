import { Duplex } from 'node:stream'
import type { EmbeddedSessions } from './embeddedSession.ts'
import type { DatabasePort } from './localPort.ts'
import type { Connect } from './workerMessages.ts'

/** The embedded database has ended. Unless it was closed on purpose, the venue cannot continue. */
export class EmbeddedClosedError extends Error {
  override readonly name = 'EmbeddedClosedError'
}

/**
 * A socket for pg over a MessagePort. Implements the few `net.Socket` methods that pg calls; there is no network, so
 * those about delays and keep-alive do nothing.
 */
export class PortStream extends Duplex {
  readonly #port: DatabasePort

  constructor(port: DatabasePort) {
    super()
    this.#port = port
    port.on('message', (bytes: Uint8Array) => {
      this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    })
    port.on('close', () => {
      if (!this.destroyed && !this.writableEnded) {
        this.destroy(new EmbeddedClosedError('The embedded database closed the connection.'))
      }
    })
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    this.#port.ref()
    return this
  }

  unref(): this {
    this.#port.unref()
    return this
  }

  override _read(): void {
    // Answers are pushed as they arrive: pg always has one query in flight and reads all of its answer.
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#send([chunk])
    done()
  }

  /** pg corks a query's messages: they are sent as one. */
  override _writev(chunks: { chunk: Uint8Array }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk))
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close()
    done(error)
  }

  /** Copies the bytes, because pg reuses its buffer, and transfers the copy. */
  #send(chunks: readonly Uint8Array[]): void {
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    this.#port.postMessage(bytes, [bytes.buffer])
  }
}

/** Serves one connection on the database's side of the message channel until either side closes it. */
export function servePort(
  sessions: EmbeddedSessions,
  { port, priority, role }: Pick<Connect, 'priority' | 'role'> & { readonly port: DatabasePort },
): void {
  const session = sessions.open((answer) => port.postMessage(answer), priority, role)
  port.on('message', (chunk: Uint8Array) => {
    session.receive(chunk)
  })
  port.on('close', () => {
    session.end()
  })
}
