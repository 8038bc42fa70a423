import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startVenue, type VenueProcess } from '../support/venueProcess.ts'
import { serverBundle } from '../support/serverBundle.ts'

let dataDir = ''
const venues: VenueProcess[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uptick-desk-'))
})
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.end('SIGKILL')
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

async function start(): Promise<{ venue: VenueProcess; url: string }> {
  const venue = startVenue([join(serverBundle(), 'main.js')], {
    DATA_DIR: dataDir,
    FEED: 'synthetic',
    LOG_LEVEL: 'error',
  })
  venues.push(venue)
  return { venue, url: await venue.ready }
}

/** `npm run desk -- site show`, with DATA_DIR alone. */
function siteShow(): { status: number | null; err: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(serverBundle(), 'desk.js'), 'site', 'show'], {
    env: { PATH: process.env['PATH'], HOME: dataDir, DATA_DIR: dataDir },
  })
  return { status, err: stderr.toString() }
}

it('the desk finds the venue of a data folder at whatever port it is, and says that it was killed', async () => {
  const first = await start()
  expect(siteShow()).toEqual({ status: 0, err: '' })
  await first.venue.end('SIGKILL')
  const { status, err } = siteShow()
  expect(status).toBe(2)
  expect(err).toMatch(
    /^desk: no venue runs in \S+: the last one, process \d+ at \S+, ended without stopping; [^\n]+\n$/,
  )
  expect(err).toContain(` at ${first.url.replace(/\/$/, '')},`)
  const second = await start()
  expect(siteShow()).toEqual({ status: 0, err: '' })
  await second.venue.end('SIGTERM')
  expect(existsSync(join(dataDir, 'venue.address'))).toBe(false)
})
