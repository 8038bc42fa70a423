// `npm run dev`: the client from its sources on Vite's port and the venue behind it, both reloading. One Ctrl-C stops
// both, and where one ends the other does too.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
/** A package's command, so that no shell and no npx stands in between. */
const command = (name, path) => join(dirname(require.resolve(`${name}/package.json`)), path)

const parts = [
  [command('vite', 'bin/vite.js'), '--clearScreen', 'false'],
  [command('tsx', 'dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/main.ts'],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }))

let code = 0
let left = parts.length
const stop = (signal) => {
  for (const part of parts) if (part.exitCode === null) part.kill(signal)
}
for (const part of parts) {
  part.on('exit', (exitCode) => {
    code ||= exitCode ?? 0
    left -= 1
    if (left === 0) process.exit(code)
    stop('SIGTERM')
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
