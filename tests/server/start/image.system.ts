import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { staffPassword } from '../../support/staffClient.ts'
import { startVenue } from '../../support/venueProcess.ts'
import { serverBundle } from '../../support/serverBundle.ts'

const root = join(import.meta.dirname, '../../..')

/** What the image has besides node_modules and dist, relative to the project's folder. */
async function copiedPaths(): Promise<string[]> {
  const lines = (await readFile(join(root, 'deploy/Containerfile'), 'utf8')).split('\n')
  const sources = lines.flatMap((line) => /^COPY --from=build (.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
  return sources
    .map((path) => path.replace('/uptick/', ''))
    .filter((path) => !/^(node_modules|dist)$/.test(path))
}

it('with the files of the image and nothing else, a venue starts and people choose a password', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-image-'))
  for (const path of await copiedPaths()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path), { recursive: true })
  }
  await cp(serverBundle(), join(folder, 'dist/server'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const key = 'key-of-the-image-test'
  const venue = startVenue([join(folder, 'dist/server/main.js')], {
    DATA_DIR: join(folder, 'data'),
    DESK_KEY: key,
  })
  const url = await venue.ready
  // What the engine creates by itself has three databases: this is a copy of the build's empty one.
  expect(await readdir(join(folder, 'data/db/base'))).toHaveLength(1)
  const post = async (path: string, body: object, headers = {}) => {
    const json = { 'content-type': 'application/json', ...headers }
    const answer = await fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { enrolment: { code: string } } }
  }
  const created = await post(
    '/desk/staff',
    { name: 'ada', role: 'admin' },
    { authorization: `Bearer ${key}` },
  )
  const { code } = created.body.enrolment
  expect((await post('/desk/enrolment', { code, password: staffPassword })).status).toBe(201)
  const desk = await promisify(execFile)('npm', ['run', '-s', 'desk', '--', 'staff', 'list'], {
    cwd: folder,
    env: { ...process.env, DESK_KEY: key, PORT: new URL(url).port, DATA_DIR: join(folder, 'data') },
  })
  expect(desk.stdout).toContain('ada')
  await venue.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
