// The compiler writes the types of every file that a subpath is made of: those that no public type leads to are deleted.
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const here = import.meta.dirname
const { exports } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g

const needed = new Set()
function addWithImports(file) {
  if (needed.has(file)) return
  needed.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(importPattern))
    addWithImports(resolve(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')))
}
for (const { types } of Object.values(exports)) if (types !== undefined) addWithImports(join(here, types))

const folder = join(here, 'dist/types')
for (const path of readdirSync(folder, { recursive: true }))
  if (path.endsWith('.d.ts') && !needed.has(join(folder, path))) rmSync(join(folder, path))
