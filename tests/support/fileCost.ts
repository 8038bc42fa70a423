import { readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'

/** Processor time in seconds: of this thread, of all threads of this process, and of its children that have ended. */
export type CpuSeconds = { thread: number; process: number; children: number }
/** What a test file took: to prepare its environment, to load its modules, and to run its tests with their hooks. */
export type FileCost = { environment: CpuSeconds; load: CpuSeconds; tests: CpuSeconds }

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  export interface TaskMeta {
    /** Of a file. */
    cost?: FileCost
  }
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Only Linux says what one thread took, to Node 20, and what the children took; elsewhere it is all threads' time. */
export function cpuNow(): CpuSeconds {
  const { user, system } = process.cpuUsage()
  const all = (user + system) / 1e6
  const thread = readIfThere('/proc/thread-self/schedstat')?.split(' ')[0]
  // The fields after the command's name: the 14th and 15th are hundredths of a second of the children.
  const own = readIfThere('/proc/self/stat')?.split(') ')[1]?.split(' ')
  return {
    thread: thread === undefined ? all : Number(thread) / 1e9,
    process: all,
    children: (Number(own?.[13] ?? 0) + Number(own?.[14] ?? 0)) / 100,
  }
}

const between = (from: CpuSeconds, to: CpuSeconds): CpuSeconds => ({
  thread: to.thread - from.thread,
  process: to.process - from.process,
  children: to.children - from.children,
})

/** The end of the thread's previous file: what its thread does from then on is for the next one. */
const ends = globalThis as { uptickFileEnd?: CpuSeconds }

const start = cpuNow()
const previous = ends.uptickFileEnd ?? start
let loaded = start

beforeAll(() => {
  loaded = cpuNow()
})

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook needs
afterAll(({}, suite) => {
  const end = cpuNow()
  ends.uptickFileEnd = end
  suite.meta.cost = {
    environment: between(previous, start),
    load: between(start, loaded),
    tests: between(loaded, end),
  }
})
