import { expect, it } from 'vitest'
import type { ServiceMessage } from '../../../../contract/content.ts'
import { dayMs } from '../../../../contract/time.ts'
import { replyOf } from '../../../support/apiCalls.ts'
import { createStaff, type StaffClient } from '../../../support/staffClient.ts'
import { multipartForm, photo } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })
const { database } = venue
const sue = await createStaff(venue, 'support', 'sue')
const member = await venue.registerMember()

async function send(who: StaffClient, file: Uint8Array, purpose = 'service', to = member.account) {
  const { body, type } = multipartForm([
    { name: 'purpose', value: purpose },
    { name: 'file', value: file, filename: 'photo.jpg', type: 'image/jpeg' },
  ])
  const headers = { cookie: who.cookie, 'x-csrf-token': who.csrfToken, 'content-type': type }
  const url = `/desk/service/${to}/uploads`
  return replyOf<{ uploadId: string }>(
    await venue.app.inject({ method: 'POST', url, headers, payload: body }),
  )
}
const reply = (who: StaffClient, body: object) => who.post<ServiceMessage>(`/service/${member.id}`, body)

it('a reply has a picture that the member sees, once it is sent, and with text or without', async () => {
  const { status, body } = await send(sue, await photo())
  expect(status).toBe(201)
  const { uploadId } = body
  const view = () => member.get(`/uploads/${uploadId}`)
  expect((await view()).status).toBe(404)
  const sent = await reply(sue, { body: '', uploadId })
  expect(sent).toMatchObject({ status: 201, body: { from: 'desk', body: '', uploadId } })
  const seen = await view()
  expect([seen.status, seen.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect((await sue.get(`/uploads/${uploadId}`)).status).toBe(200)
  const stored = await database.pool.query('SELECT sent_by, member_id FROM upload WHERE id = $1', [uploadId])
  expect(stored.rows).toEqual([{ sent_by: 'sue', member_id: member.id }])
  expect((await reply(sue, { body: 'again', uploadId })).fields).toEqual({ uploadId: 'INVALID' })
  expect((await reply(sue, { body: ' ' })).fields).toEqual({ body: 'REQUIRED' })
})

it('has the limits and the rules of members’ pictures, apart from theirs', async () => {
  expect((await send(sue, Buffer.from('no picture'))).code).toBe('FILE_TYPE')
  expect((await send(sue, await photo(), 'id_front')).fields).toEqual({ purpose: 'INVALID' })
  expect((await send(sue, await photo(), 'service', 'nobody')).code).toBe('NOT_FOUND')
  const finance = await createStaff(venue, 'finance')
  expect((await send(finance, await photo())).code).toBe('FORBIDDEN')

  // Nobody uses what another person has sent: a member not the staff's, the staff not a member's.
  const { uploadId } = (await send(sue, await photo())).body
  const other = await createStaff(venue, 'support')
  expect((await reply(other, { body: 'x', uploadId })).fields).toEqual({ uploadId: 'INVALID' })
  const written = await member.send('POST', '/service/messages', { body: 'x', uploadId })
  expect(written.fields).toEqual({ uploadId: 'INVALID' })
  const ofMember = await venue.upload(member, 'service')
  expect((await reply(sue, { body: 'x', uploadId: ofMember })).fields).toEqual({ uploadId: 'INVALID' })

  // The quota of one is not that of the other.
  await database.pool.query(`UPDATE upload SET bytes = 104857600 WHERE sent_by = 'sue' AND used_at IS NULL`)
  expect((await send(sue, await photo())).code).toBe('UPLOAD_QUOTA')
  expect(await venue.upload(member, 'service')).toBeTruthy()
  await venue.clock.jumpBy(dayMs)
  const fresh = await createStaff(venue, 'support')
  expect((await send(fresh, await photo())).status).toBe(201)
})
