// `npm run package`: what npm would publish is valid, small, and runs without the project around it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const packedMax = 120_000
const here = import.meta.dirname
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const { messages, pkg } = await publint({ pkgDir: here, strict: true })
const problems = messages.map((message) => formatMessage(message, pkg))
const [packed] = JSON.parse(
  execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: here, encoding: 'utf8' }),
)
if (packed.size > packedMax) problems.push(`packed: ${packed.size} bytes, more than ${packedMax}`)
const packedFiles = new Set(packed.files.map(({ path }) => path))
for (const [, target] of readFileSync(join(here, 'README.md'), 'utf8').matchAll(/\]\(([^)#]+)/g))
  if (!/^https?:/.test(target) && !packedFiles.has(target))
    problems.push(`README.md links to ${target}, which is not packed`)
for (const problem of problems) process.stderr.write(`packages/uptick: ${problem}\n`)
if (problems.length > 0) process.exit(1)
process.stdout.write(`packages/uptick: ${packed.entryCount} files, ${packed.size} bytes packed\n`)
