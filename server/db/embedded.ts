import { existsSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { EmbeddedClosedError, PortStream } from './port-stream.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts'

/** The embedded database in its thread, as the venue's side sees it. */
export interface Embedded {
  /** A new connection for pg's `stream` option. */
  connect(): Duplex
  /** Checkpoints, closes and ends the thread. */
  close(): Promise<void>
}

/**
 * Starts the thread that holds the embedded database in `dir` and waits until it answers.
 * @param onLost told once when the thread ends without having been asked to
 * @param workerUrl the thread's entry; found beside this file when left out
 * @throws EmbeddedClosedError when the database in `dir` cannot be opened
 */
export async function openEmbedded(
  dir: string,
  onLost: (error: EmbeddedClosedError) => void,
  workerUrl: URL = findWorker(),
): Promise<Embedded> {
  const settings: WorkerSettings = { dir }
  const worker = new Worker(workerUrl, { workerData: settings })
  await heard(worker, 'ready')

  let closing = false
  let lost: EmbeddedClosedError | null = null
  const lose = (cause: unknown): void => {
    if (lost !== null) return
    lost = new EmbeddedClosedError('The embedded database’s thread ended.', { cause })
    if (!closing) onLost(lost)
  }
  worker.on('error', lose).on('exit', lose)

  return {
    connect: () => {
      const { port1, port2 } = new MessageChannel()
      const stream = new PortStream(port1)
      if (lost === null) tell(worker, { kind: 'connect', port: port2 }, [port2])
      else stream.destroy(lost)
      return stream
    },
    close: async () => {
      closing = true
      if (lost !== null) return
      const closed = heard(worker, 'closed')
      tell(worker, { kind: 'close' })
      await closed
      await worker.terminate()
    },
  }
}

function tell(worker: Worker, message: ToWorker, transfer: MessagePort[] = []): void {
  worker.postMessage(message, transfer)
}

/** Waits for the worker to say one thing. */
function heard(worker: Worker, kind: FromWorker['kind']): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker): void => {
      if (message.kind === kind) settle(resolve)
    }
    const onError = (error: unknown): void => {
      settle(() => reject(new EmbeddedClosedError('The embedded database failed.', { cause: error })))
    }
    const onExit = (code: number): void => {
      settle(() => reject(new EmbeddedClosedError(`The embedded database’s thread ended with code ${code}.`)))
    }
    const settle = (done: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      done()
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}

/** From source the entry is TypeScript behind a loader; in a bundle it lies beside the main file. */
function findWorker(): URL {
  const names = import.meta.url.endsWith('.ts')
    ? ['./embedded-worker-dev.mjs']
    : ['./embedded-worker.js', '../embedded-worker.js']
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url))
  if (found === undefined) throw new Error('The embedded database’s worker file is missing from the build.')
  return found
}
