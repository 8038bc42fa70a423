import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Runs scripts of package.json side by side (`node scripts/together.mjs lint build`), because most of them leave a
 * core idle for part of their time. Names the script before each line that it prints, and fails if any failed, after
 * all have ended.
 */
const names = process.argv.slice(2)
const results = await Promise.all(names.map(run))
const failed = results.filter(({ code }) => code !== 0).map(({ name }) => name)
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

function run(name) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '-s', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => console.log(`${name}: ${line}`))
    child.once('error', reject)
    child.once('close', (code) => resolve({ name, code }))
  })
}
