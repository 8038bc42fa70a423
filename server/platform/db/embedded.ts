import type { Duplex } from 'node:stream'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { workerUrl } from '../workers.ts'
import { EmbeddedClosedError, PortStream } from './portStream.ts'
import type { Connect, FromWorker, ToWorker, WorkerSettings } from './workerMessages.ts'

/** The embedded database in its thread, seen from the main thread. */
export type Embedded = {
  /** A new connection for pg's `stream` option, whose statements run as a role; null is the superuser. */
  connect(role: string | null): Duplex
  /** A port through which another thread connects by {@link connectThrough}. */
  share(): MessagePort
  /** Checkpoints, closes and ends the thread. */
  close(): Promise<void>
}

/**
 * Starts the thread that runs the embedded database in `dir` and waits until it is ready.
 * @param onLost called once if the thread ends before it has closed the database
 * @param entry the thread's entry
 * @throws EmbeddedClosedError if the database in `dir` cannot be opened
 */
export async function openEmbedded(
  dir: string,
  onLost: (error: EmbeddedClosedError) => void,
  entry: URL = workerUrl('platform/db/embeddedWorker'),
): Promise<Embedded> {
  const settings: WorkerSettings = { dir }
  const worker = new Worker(entry, { workerData: settings })
  await waitForMessage(worker, 'ready')

  let isClosed = false
  let closedError: EmbeddedClosedError | null = null
  const onEnd = (cause: unknown): void => {
    if (closedError !== null) return
    closedError = new EmbeddedClosedError('The embedded database’s thread ended.', { cause })
    if (!isClosed) onLost(closedError)
  }
  worker.on('error', onEnd).on('exit', onEnd)

  return {
    connect: (role) => {
      const { port1, port2 } = new MessageChannel()
      const stream = new PortStream(port1)
      if (closedError === null)
        postToWorker(worker, { kind: 'connect', port: port2, priority: 'normal', role }, [port2])
      else stream.destroy(closedError)
      return stream
    },
    share: () => {
      const { port1, port2 } = new MessageChannel()
      postToWorker(worker, { kind: 'share', port: port2 }, [port2])
      return port1
    },
    close: async () => {
      if (closedError !== null) return
      const closed = waitForMessage(worker, 'closed')
      postToWorker(worker, { kind: 'close' })
      try {
        await closed
      } catch {
        // The thread ended before: `onLost` reports it.
        return
      }
      isClosed = true
      await worker.terminate()
    },
  }
}

/** A connection of high priority from another thread, over a port from {@link Embedded.share}. */
export function connectThrough(shared: MessagePort, role: string | null): Duplex {
  const { port1, port2 } = new MessageChannel()
  const message: Connect = { kind: 'connect', port: port2, priority: 'high', role }
  shared.postMessage(message, [port2])
  return new PortStream(port1)
}

function postToWorker(worker: Worker, message: ToWorker, transfer: MessagePort[] = []): void {
  worker.postMessage(message, transfer)
}

/** Waits for a message of one kind from the worker. */
function waitForMessage(worker: Worker, kind: FromWorker['kind']): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker): void => {
      if (message.kind === kind) finish(resolve)
    }
    const onError = (error: unknown): void => {
      finish(() => reject(new EmbeddedClosedError('The embedded database failed.', { cause: error })))
    }
    const onExit = (code: number): void => {
      finish(() => reject(new EmbeddedClosedError(`The embedded database’s thread ended with code ${code}.`)))
    }
    const finish = (done: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      done()
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
