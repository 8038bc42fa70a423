import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/**
 * Checks the first load of both pages against its budget, gzipped. Of the members' app: all JavaScript that runs before
 * any route's own chunk; the bare libraries (React, rxjs, socket.io-client, valtio) are 88 kB, and shell and i18n may add
 * half of that. Of the office: scripts, styles and one language pack.
 */
const pages = [
  { name: 'first load', folder: 'dist/client/', budget: 132, also: [] },
  { name: 'first load of the office', folder: 'dist/client/office/', budget: 250, also: ['packs/zh-CN.ts'] },
]
const kB = (bytes) => `${(bytes / 1024).toFixed(1)} kB`

for (const { name, folder, budget, also } of pages) {
  const dist = new URL(`../${folder}`, import.meta.url)
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
  const files = new Set()
  const collect = (key) => {
    const chunk = manifest[key]
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) collect(next)
  }
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry || also.includes(key)) collect(key)
  if (also.length > 0)
    for (const { file } of Object.values(manifest)) if (file.endsWith('.css')) files.add(file)
  const sizes = [...files].map((file) => [
    file,
    gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length,
  ])
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  if (process.argv.includes('--list'))
    for (const [file, bytes] of sizes) console.log(`${kB(bytes).padStart(10)}  ${file}`)
  console.log(`${name} ${kB(total)} of ${kB(budget * 1024)} (gzip)`)
  if (total > budget * 1024) {
    console.error(`the ${name} is over its budget`)
    process.exitCode = 1
  }
}
