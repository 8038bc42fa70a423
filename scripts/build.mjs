// `npm run build`: the members' app with the office in it, and beside them the venue, which needs nothing of theirs. Prints
// each step with its duration, and what a step says only if it is a warning or an error.
// `--if-stale`: nothing, if the build is newer than all that it is made of.
import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { createRequire } from 'node:module'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { isStale } from './buildFreshness.mjs'

const root = resolve(import.meta.dirname, '..')
const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
const bundle = (...config) => [vite, 'build', '--logLevel', 'warn', ...config]

/** Each needs what those before it have written. */
const client = [
  ["the members' app", bundle()],
  ['the office', bundle('--config', 'office/vite.config.ts')],
  ['the compressed files', ['scripts/compress.mjs']],
]
const venue = [
  ['the fonts of statements', ['--import', 'tsx', 'server/money/statements/fonts/install.ts']],
  ['the venue', bundle('--config', 'server/vite.config.ts')],
]

if (process.argv.includes('--if-stale') && !isStale(root)) {
  console.log('The build is up to date.')
} else {
  // Only a build that has ended counts as one (buildFreshness.mjs).
  const complete = join(root, 'dist/complete')
  rmSync(complete, { force: true })
  const results = await Promise.all([client, venue].map(runAll))
  if (results.every(Boolean)) {
    mkdirSync(dirname(complete), { recursive: true })
    writeFileSync(complete, '')
  } else process.exitCode = 1
}

async function runAll(steps) {
  for (const [name, args] of steps) {
    const from = performance.now()
    const code = await run(args)
    if (code !== 0) {
      console.error(`Building ${name} failed`)
      return false
    }
    console.log(`Built ${name} in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  return true
}

function run(args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', fail)
    child.once('exit', done)
  })
}
