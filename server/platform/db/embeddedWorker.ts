import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { EmbeddedSessions } from './embeddedSession.ts'
import { openEmbeddedEngine } from './embeddedEngine.ts'
import { servePort } from './portStream.ts'
import type { Connect, FromWorker, ToWorker, WorkerSettings } from './workerMessages.ts'

/**
 * Only functions that have run for about a tenth of a second are optimised: by default half of a start's processor time goes
 * to optimising what it needs once, and the code and what its compiler leaves behind are 40 MB.
 */
setFlagsFromString('--wasm-tiering-budget=200000000')

/** The thread that runs the embedded database, so that its synchronous work never blocks the venue's event loop. */
async function run(parent: NonNullable<typeof parentPort>, settings: WorkerSettings): Promise<void> {
  const postToParent = (message: FromWorker): void => parent.postMessage(message)
  const engine = await openEmbeddedEngine(settings.dir)
  const sessions = new EmbeddedSessions(engine)
  const close = async (): Promise<void> => {
    sessions.close()
    await engine.close()
    postToParent({ kind: 'closed' })
    parent.close()
  }
  parent.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'connect':
        servePort(sessions, message)
        break
      case 'share':
        message.port.on('message', (connect: Connect) => servePort(sessions, connect))
        break
      case 'close':
        void close()
        break
    }
  })
  postToParent({ kind: 'ready' })
}

if (parentPort !== null) await run(parentPort, workerData as WorkerSettings)
