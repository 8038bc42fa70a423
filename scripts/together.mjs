import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Runs scripts of package.json side by side (`node scripts/together.mjs lint build`), because most of them leave a
 * core idle for part of their time. Names the script before each line that it prints. If any failed, prints the last
 * lines of each of those again after all have ended, where a log that is cut to its end still shows them, and fails.
 */
const linesRepeated = 120
const names = process.argv.slice(2)
const results = await Promise.all(names.map(run))
const failed = results.filter(({ code }) => code !== 0)
if (failed.length > 0) {
  for (const { name, lines } of failed) {
    console.error(`\nthe last lines of ${name}:`)
    for (const line of lines) console.error(line)
  }
  console.error(`failed: ${failed.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
}

function run(name) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '-s', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    const lines = []
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        console.log(`${name}: ${line}`)
        lines.push(line)
        if (lines.length > linesRepeated) lines.shift()
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ name, code, lines }))
  })
}
