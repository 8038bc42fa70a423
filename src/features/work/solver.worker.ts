import { solveWork } from '../../../contract/solveWork.ts'
import type { Work } from '../../../contract/work.ts'

/** Does one work: it takes up to some seconds, in which the page stays alive. */
addEventListener('message', ({ data }: MessageEvent<Work>) => postMessage(solveWork(data)))
