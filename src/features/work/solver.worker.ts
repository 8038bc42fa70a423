import { solveWork } from '../../../contract/solveWork.ts'
import type { Work } from '../../../contract/work.ts'

/** Does one work: it takes up to a few seconds, during which the page stays responsive. */
addEventListener('message', ({ data }: MessageEvent<Work>) => postMessage(solveWork(data)))
