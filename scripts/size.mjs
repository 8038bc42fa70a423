import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/**
 * Checks the first load against its budget: all JavaScript that runs before any route's own chunk, gzipped. The bare
 * libraries (React, rxjs, socket.io-client, valtio) are 88 kB; shell and i18n may add half of that.
 */
const budgetBytes = 132 * 1024
const dist = new URL('../dist/client/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))

const files = new Set()
function collect(key) {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const next of chunk.imports ?? []) collect(next)
}
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) collect(key)

const sizes = [...files].map((file) => [
  file,
  gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length,
])
const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
const kB = (bytes) => `${(bytes / 1024).toFixed(1)} kB`
if (process.argv.includes('--list'))
  for (const [file, bytes] of sizes) console.log(`${kB(bytes).padStart(10)}  ${file}`)
console.log(`first load ${kB(total)} of ${kB(budgetBytes)} (JavaScript, gzip)`)
if (total > budgetBytes) {
  console.error('the first load is over its budget')
  process.exit(1)
}
