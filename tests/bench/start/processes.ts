import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../../..')
const port = 18_472
const serving = `http://127.0.0.1:${port}/healthz`

/** Processor seconds until it serves, and resident memory in MB. */
export type Measured = { cpuS: number; peakMb: number; settledMb: number }
type WhileServing = (cpuS: () => number) => Promise<void>

/** Starts the built venue as `npm start` does, and stops it. @param whileServing runs before it is stopped */
export const venueProcess = (
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  whileServing?: WhileServing,
): Promise<Measured> => measure(startArguments(), { DATA_DIR: dataDir, ...env }, whileServing)

/** The options of Node and the script, as package.json has them. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  return scripts.start.split(' ').slice(1)
}

/** The same for a bare Fastify with PGlite. */
export const bareProcess = (dataDir: string): Promise<Measured> =>
  measure([join(import.meta.dirname, 'bare.mjs')], { DATA_DIR: dataDir })

async function measure(
  args: string[],
  env: NodeJS.ProcessEnv,
  whileServing: WhileServing = async () => undefined,
): Promise<Measured> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1', ...env },
  })
  const exited = once(child, 'exit')
  const { pid } = child
  if (pid === undefined) throw new Error('it could not be started')
  try {
    while (!(await serves())) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      await pause(20)
    }
    const cpuS = processorSeconds(pid)
    const peakMb = memoryMb(pid, 'VmHWM')
    await whileServing(() => processorSeconds(pid))
    return { cpuS, peakMb, settledMb: memoryMb(pid, 'VmRSS') }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

async function serves(): Promise<boolean> {
  try {
    const answer = await fetch(serving)
    return ((await answer.json()) as { status: string }).status === 'serving'
  } catch {
    return false
  }
}

/** Of all threads, in user and system mode; a tick of the kernel's clock is a hundredth of a second. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}
