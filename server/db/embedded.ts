import { existsSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { MessageChannel, Worker } from 'node:worker_threads'
import { PortStream } from './port-stream.ts'
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
 * @param workerUrl the thread's entry; found beside this file when left out
 * @throws when the database in `dir` cannot be opened
 */
export async function openEmbedded(dir: string, workerUrl: URL = findWorker()): Promise<Embedded> {
  const settings: WorkerSettings = { dir }
  const worker = new Worker(workerUrl, { workerData: settings })
  await heard(worker, 'ready')
  const tell = (message: ToWorker, transfer: MessageChannel['port1'][] = []): void =>
    worker.postMessage(message, transfer)
  return {
    connect: () => {
      const { port1, port2 } = new MessageChannel()
      tell({ kind: 'connect', port: port2 }, [port2])
      return new PortStream(port1)
    },
    close: async () => {
      const closed = heard(worker, 'closed')
      tell({ kind: 'close' })
      await closed
      await worker.terminate()
    },
  }
}

function heard(worker: Worker, kind: FromWorker['kind']): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker): void => {
      if (message.kind === kind) settle(resolve)
    }
    const onError = (error: unknown): void => {
      settle(() => reject(new Error('The embedded database failed.', { cause: error })))
    }
    const onExit = (code: number): void => {
      settle(() => reject(new Error(`The embedded database's thread ended with code ${code}.`)))
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
