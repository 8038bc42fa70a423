// `npm start`: builds if the build is missing or out of date, then runs the venue in this process, so signals and the
// exit code are the venue's.
import { once } from 'node:events'
import module from 'node:module'
import { resolve } from 'node:path'
import { isStale } from './buildFreshness.mjs'

const root = resolve(import.meta.dirname, '..')
const { stdout, stderr } = process

/** A terminal shows each part that is built, and the seconds; elsewhere one line says that a build begins. */
async function build() {
  // Loaded only to build, which most starts do not.
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const begunAt = performance.now()
  const show = () => {
    const seconds = Math.round((performance.now() - begunAt) / 1000)
    stdout.write(`\r\x1b[KBuilding … ${seconds} s`)
  }
  if (!stdout.isTTY) stdout.write('Building the client and the venue …\n')
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (stdout.isTTY) stdout.write(`\r\x1b[K${text}`)
  })
  const timer = stdout.isTTY ? setInterval(show, 1000) : undefined
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (stdout.isTTY) stdout.write('\r\x1b[K')
  return code === 0
}

if (isStale(root) && !(await build())) {
  stderr.write('uptick: the build failed\n')
  process.exit(1)
}

if (stdout.isTTY) stdout.write('Loading the venue …')
// Newer versions of Node keep what they compiled: a third of the time until the venue begins to start.
module.enableCompileCache?.(resolve(root, 'node_modules/.cache/uptick/code'))
process.env.NODE_ENV ??= 'production'
await import('../dist/server/main.js')
