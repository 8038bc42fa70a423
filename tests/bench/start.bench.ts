import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median } from './row.ts'
import type { Row } from './row.ts'

const root = resolve(import.meta.dirname, '../..')
const port = 18_472
const runs = 3
const limitS = 5

/** P10: `npm start` until the venue serves, after the build: first on an empty data folder, then on the same one again. */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/server/main.js'))) throw new Error('build first: npm run build')
  const dataDir = mkdtempSync(join(tmpdir(), 'uptick-start-'))
  try {
    const first = await startS(dataDir)
    const warm: number[] = []
    for (let i = 0; i < runs; i++) warm.push(await startS(dataDir))
    const value = median(warm)
    return [
      { id: 'P10', what: 'npm start, empty data folder', value: first, unit: 's' },
      {
        id: 'P10',
        what: 'npm start, warm data folder',
        value,
        unit: 's',
        limit: `≤ ${limitS}`,
        ok: value <= limitS,
      },
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function startS(dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
  })
  const exited = new Promise<void>((done) => void child.once('exit', () => done()))
  while (!(await serves())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await new Promise((soon) => void setTimeout(soon, 20))
  }
  const seconds = (performance.now() - started) / 1000
  // npm and its shell do not always forward a signal, so the whole process group gets it.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await exited
  while (await serves()) await new Promise((soon) => void setTimeout(soon, 20))
  return seconds
}

async function serves(): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    return ((await answer.json()) as { status: string }).status === 'serving'
  } catch {
    return false
  }
}
