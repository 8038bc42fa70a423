import { expect, it } from 'vitest'
import type { Notice } from '../../../../contract/socket.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { openTestVenue } from '../../../support/testVenue.ts'

const database = await withDatabase()

it('a socket of a venue that stops has received everything, and any client comes back by itself', async () => {
  const venue = await openTestVenue(database)
  const client = await venue.connect({}, { reconnection: true, reconnectionDelay: 1 })
  const closed = new Promise<string>((resolve) => client.socket.once('disconnect', resolve))
  const trying = new Promise((resolve) => client.socket.io.once('reconnect_attempt', resolve))
  const notice: Notice = { siteStatus: 'maintenance', until: null }
  for (let i = 0; i < 2000; i++) venue.realtime.publishNotice(notice)
  venue.realtime.close()
  expect(await closed).toBe('transport close')
  expect(client.socket.active).toBe(true)
  expect(client.eventsOf('notice')).toHaveLength(2000)
  await trying
  await venue.close()
})
