import type { Work, WorkAnswer } from '../../../contract/work.ts'
import { trustedWorker } from '../../lib/trustedWorker.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerPath from './solver.worker.ts?worker&url'

/** Does work off the main thread; where a browser starts no worker, on it. Null for work that has no answer. */
export async function solveInWorker(work: Work): Promise<WorkAnswer | null> {
  const answer = await answerOfWorker(work).catch(() => undefined)
  if (answer !== undefined) return answer
  const { solveWork } = await import('../../../contract/solveWork.ts')
  return solveWork(work)
}

function answerOfWorker(work: Work): Promise<WorkAnswer | null> {
  return new Promise((resolve, reject) => {
    // A classic script in the build: not every browser accepts a module as a worker.
    const options: WorkerOptions = import.meta.env.DEV ? { type: 'module' } : {}
    const worker = new Worker(trustedWorker(workerPath) as string, options)
    const end = (then: () => void): void => {
      worker.terminate()
      then()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<WorkAnswer | null>) =>
      end(() => resolve(data)),
    )
    worker.addEventListener('error', () => end(() => reject(new Error('the worker did not start'))))
    worker.postMessage(work)
  })
}
