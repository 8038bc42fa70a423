import { EventEmitter } from 'node:events'

/** What a connection to the embedded database needs of its port; a `MessagePort` is one. */
export type DatabasePort = {
  on(event: 'message', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(bytes: Uint8Array, transfer?: ArrayBuffer[]): void
  ref(): void
  unref(): void
  close(): void
}

/** Not the one of a test's fake timers. */
const later = setImmediate

/** Two ports within one thread, which a MessageChannel connects too, at several times the cost of a message. */
export function localPorts(): [DatabasePort, DatabasePort] {
  const [one, other] = [new LocalPort(), new LocalPort()]
  one.peer = other
  other.peer = one
  return [one, other]
}

class LocalPort extends EventEmitter implements DatabasePort {
  peer: LocalPort | null = null

  postMessage(bytes: Uint8Array): void {
    const { peer } = this
    later(() => peer?.emit('message', bytes))
  }

  close(): void {
    const { peer } = this
    if (peer === null) return
    this.peer = null
    peer.peer = null
    later(() => {
      this.emit('close')
      peer.emit('close')
    })
  }

  // Nothing keeps the process alive but a message on its way.
  ref(): void {}
  unref(): void {}
}
