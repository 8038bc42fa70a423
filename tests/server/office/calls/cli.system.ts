import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import { lockDataDir } from '../../../../server/platform/db/lock.ts'
import { openMemoryDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { writeAnnouncement } from '../../../../server/platform/db/venueAddress.ts'
import { call } from '../../../support/apiCalls.ts'
import { addStaffTotp, createStaff, staffPassword } from '../../../support/staffClient.ts'
import { testFence } from '../../../support/testFence.ts'
import { openTickingVenue, type TickingVenue } from '../../../support/tickingVenue.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

describe('npm run desk', () => {
  let database: Database
  let venue: TickingVenue
  beforeAll(async () => {
    database = await openMemoryDatabase()
    venue = await openTickingVenue(database, { live: true })
  })
  afterAll(async () => {
    await venue.close()
    await database.close()
  })

  /** Runs the command that `npm run desk` runs, bundled: a start from the sources takes seconds. */
  const run = async (args: readonly string[], env: Record<string, string> = {}, input = '') => {
    const { port } = await venue.listen()
    return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [join(serverBundle(), 'desk.js'), ...args], {
        env: {
          PATH: process.env['PATH'],
          HOME: venue.dataDir,
          PORT: String(port),
          DATA_DIR: venue.dataDir,
          ...env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      child.stdin.end(input)
      let [out, err] = ['', '']
      child.stdout.on('data', (data: Buffer) => (out += data.toString()))
      child.stderr.on('data', (data: Buffer) => (err += data.toString()))
      child.once('close', (code) => resolve({ code, out, err }))
    })
  }

  it('runs the build', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(scripts['desk']).toBe('node scripts/desk.mjs')
  })

  it('asks whether the member was called before it approves a forgotten password', async () => {
    const member = await venue.registerMember()
    const asked = { kind: 'login', account: member.account, phone: member.phone }
    await call(venue.app, 'POST', '/auth/recoveries', { body: asked })
    await venue.passwordRecovery.deliver(testFence)
    const listed = await run(['password-requests', 'list', '--as', 'mei', '--json'])
    const [{ id }] = (JSON.parse(listed.out) as { items: [{ id: string }] }).items
    const approve = ['password-requests', 'approve', id, '--as', 'mei']
    expect(await run(approve)).toEqual({
      code: 2,
      out: '',
      err: 'desk: a forgotten password takes --called yes: call the member at the registered number first\n',
    })
    expect((await run([...approve, '--called', 'yes'])).out).toContain('recover')
  })

  it('exits 0 when done, 1 with the code when rejected, and writes the actor into the act log', async () => {
    const member = await venue.registerMember()
    const { no } = (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '75.00' })).body
    const approve = ['deposits', 'approve', no, '--as', '小美']
    expect(await run([...approve, '--json'])).toMatchObject({ code: 0, err: '' })
    expect((await venue.assetsOf(member)).available).toBe('75.00')
    expect(await run(approve)).toEqual({ code: 1, out: '', err: 'CONFLICT\n' })
    const listed = await run(['audit', 'list', '--kind', 'deposit', '--as', 'mei', '--json'])
    expect(JSON.parse(listed.out)).toMatchObject({
      items: [{ actor: '小美', act: 'approve', details: { no } }],
      nextCursor: null,
    })
    // For reading too: what was looked at is in the act log.
    expect(await run(['site', 'show'])).toEqual({
      code: 2,
      out: '',
      err: 'desk: in live mode every command names who acts: --as NAME, or log in\n',
    })
    expect(await run(['site', 'show', '--as', 'x'.repeat(41)])).toMatchObject({
      code: 2,
      err: 'desk: --as takes one line of 40 characters at most, and no name of the staff: they log in\n',
    })
    const page = await run(['members', 'list', '--as', 'mei'])
    expect(page).toMatchObject({ code: 0, err: '' })
    expect(page.out).toMatch(/^account +nickname +level/)
  })

  it('finds the venue that runs in DATA_DIR; PORT goes before it', async () => {
    const { url } = await venue.listen()
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-desk-'))
    const show = ['site', 'show', '--as', 'mei']
    const env = { DATA_DIR: dataDir, DESK_KEY: venue.secrets.deskKey }
    const lock = await lockDataDir(dataDir)
    await lock.announce(url)
    expect((await stat(join(dataDir, 'venue.address'))).mode & 0o777).toBe(0o600)
    expect(await run(show, { ...env, PORT: '' })).toMatchObject({ code: 0, err: '' })
    await lock.announce('http://127.0.0.1:1')
    expect((await run(show, { ...env, PORT: '' })).err).toMatch(
      /^desk: no venue answers at http:\/\/127\.0\.0\.1:1 /,
    )
    expect(await run(show, env)).toMatchObject({ code: 0, err: '' })
    await lock.release()
    expect(await readdir(dataDir)).toEqual([])
    // Of a process that was killed, also while a command of backups holds the folder.
    await writeAnnouncement(dataDir, { token: 'of another lock', pid: 7, url })
    const other = await lockDataDir(dataDir)
    for (const held of [true, false]) {
      expect(await run(show, { ...env, PORT: '' }), String(held)).toEqual({
        code: 2,
        out: '',
        err:
          `desk: no venue runs in ${dataDir}: the last one, process 7 at ${url}, ended without stopping; ` +
          'start it, or set DATA_DIR to that of the venue, or PORT\n',
      })
      await other.release()
    }
    expect(await readdir(dataDir)).toEqual(['venue.address'])
    await rm(dataDir, { recursive: true })
  })

  it('writes photos readable only by the user, also over a file readable by others', async () => {
    const member = await venue.registerMember()
    await venue.submitVerification(member)
    const folder = join(venue.dataDir, 'look/here')
    const show = ['verifications', 'show', member.account, '--as', 'mei', '--photos', folder, '--json']
    const first = await run(show)
    const { id, photos } = JSON.parse(first.out) as { id: string; photos: string[] }
    expect(await readdir(folder)).toEqual([`${id}-back.jpg`, `${id}-front.jpg`])
    expect(photos.sort()).toEqual([join(folder, `${id}-back.jpg`), join(folder, `${id}-front.jpg`)])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await chmod(photos[0]!, 0o644)
    await writeFile(photos[1]!, 'old')
    expect((await run(show)).code).toBe(0)
    for (const photo of photos) {
      expect((await stat(photo)).mode & 0o777).toBe(0o600)
      expect((await readFile(photo)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    }
    const views = await venue.office<{ items: object[] }>('GET', '/audit?kind=upload')
    expect(views.body.items).toHaveLength(4)
  })

  it('publishes a file', async () => {
    const file = join(venue.dataDir, 'news.md')
    await writeFile(file, '---\nid: friday\nlang: en\ntitle: Friday\n---\nClosed.\n')
    const published = await run(['news', 'publish', file, '--as', 'mei'])
    expect(published).toMatchObject({ code: 0, err: '' })
    expect(published.out).toContain('title        Friday')
  })

  it.each([
    ['wrong usage', ['deposits', 'reject', 'x'], {}, /^desk: --reason is missing\n$/],
    ['no venue', ['codes', 'list'], { PORT: '1' }, /^desk: no venue answers at http:\/\/127\.0\.0\.1:1 /],
    ['no actor of a cut', ['log', 'cut', '--at', 'flush:1'], {}, /^desk: log cut needs --as, [^\n]+\n$/],
    [
      'no such database',
      ['log', 'check'],
      { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none', DATA_DIR: join(tmpdir(), 'uptick-none') },
      /^desk: DATABASE_URL does not answer \(ECONNREFUSED\)\n$/,
    ],
    ['no key', ['codes', 'list'], { DATA_DIR: '/nowhere' }, /^desk: no key in \/nowhere\/desk\.key/],
  ])('exits 2 for %s', async (_what, args, env, err) => {
    expect(await run(args, env)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(err) })
  })

  it('prints help after login and logout too', async () => {
    for (const command of ['login', 'logout']) {
      const { code, out } = await run([command, '--help'])
      expect([code, out.includes(`${command} `)]).toEqual([0, true])
    }
  })

  it('exits 1 for a wrong key, and prints help without a venue', async () => {
    const rejected = await run(['codes', 'list', '--as', 'mei'], { DESK_KEY: 'some-other-desk-key' })
    expect(rejected).toEqual({ code: 1, out: '', err: 'UNAUTHENTICATED\n' })
    expect(await run(['members', '--help'], { PORT: '1', DATA_DIR: '/nowhere' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('credit ID'),
    })
  })

  it('acts for a member of staff who logs in, with the role and the name of the office', async () => {
    const member = await createStaff(venue, 'support', 'sue')
    const { secret } = await addStaffTotp(member, venue.clock.now())
    await createStaff(venue, 'admin')
    const config = join(venue.dataDir, 'home')
    const env = { XDG_CONFIG_HOME: config }
    const file = join(config, 'uptick/desk.json')
    const code = () => new TOTP({ secret }).generate({ timestamp: venue.clock.now() + 30_000 })
    // After these the venue asks a device that it does not know for work.
    for (let i = 0; i < 4; i++)
      expect(await run(['login', 'sue'], env, `wrong password\n`)).toMatchObject({
        code: 1,
        err: 'BAD_CREDENTIALS\n',
      })
    const opened = await run(['login'], env, `sue\n${staffPassword}\n${code()}\n`)
    expect(opened).toMatchObject({ code: 0, err: '' })
    expect(opened.out).toMatch(/^logged in as sue \(support\) until /)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(config, 'uptick'))).mode & 0o777).toBe(0o700)

    expect(await run(['codes', 'issue'], env)).toMatchObject({ code: 0, err: '' })
    expect(await run(['audit', 'list'], env)).toEqual({ code: 1, out: '', err: 'FORBIDDEN\n' })
    const { rows } = await database.pool.query(
      "SELECT actor FROM audit WHERE act = 'issue' ORDER BY id DESC LIMIT 1",
    )
    expect(rows).toEqual([{ actor: 'sue' }])
    const { [`http://127.0.0.1:${(await venue.listen()).port}`]: stored } = JSON.parse(
      await readFile(file, 'utf8'),
    ) as Record<string, { token: string }>
    const byToken = { XDG_CONFIG_HOME: '/nowhere', DESK_TOKEN: stored!.token }
    expect(await run(['codes', 'list'], byToken)).toMatchObject({ code: 0, err: '' })

    await chmod(file, 0o644)
    expect(await run(['codes', 'list'], env)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/others can read/),
    })
    await chmod(file, 0o600)
    expect(await run(['logout'], env)).toMatchObject({ code: 0, out: 'sue is logged out\n' })
    expect(await run(['codes', 'list'], byToken)).toMatchObject({ code: 1, err: 'UNAUTHENTICATED\n' })
    // A login that is over is not replaced by the key.
    const address = `http://127.0.0.1:${(await venue.listen()).port}`
    await writeFile(file, JSON.stringify({ [address]: { ...stored, name: 'sue' } }), { mode: 0o600 })
    expect((await run(['codes', 'list'], env)).err).toBe('UNAUTHENTICATED\n')
  })
})
