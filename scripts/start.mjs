// `npm start`: builds if the build is missing or out of date, then runs the venue in this process, so signals and the
// exit code are the venue's.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { isStale } from './buildFreshness.mjs'

const root = resolve(import.meta.dirname, '..')

if (isStale(root)) {
  process.stdout.write('Building the client and the venue …\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write('uptick: the build failed\n')
    process.exit(1)
  }
}

process.env.NODE_ENV ??= 'production'
await import('../dist/server/main.js')
