import { spawn } from 'node:child_process'

/**
 * Runs scripts of package.json side by side (`node scripts/together.mjs lint build`), because most of them leave a
 * core idle for part of their time. Shows what a script printed when it has ended, and fails if any failed, after all.
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
    const output = []
    child.stdout.on('data', (data) => output.push(data))
    child.stderr.on('data', (data) => output.push(data))
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve({ name, code })
    })
  })
}
