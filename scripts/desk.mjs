// `npm run desk`: runs the command line of the build, which needs no development packages; builds it if it is missing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

if (!existsSync(resolve(root, 'dist/server/desk.js'))) {
  const vite = resolve(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--config', 'server/vite.config.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    process.stderr.write('desk: the build failed\n')
    process.exit(2)
  }
}

await import('../dist/server/desk.js')
