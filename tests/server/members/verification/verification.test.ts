import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import type { User } from '../../../../contract/member.ts'
import type { VenueConfig } from '../../../../contract/venueConfig.ts'
import type { Verification } from '../../../../contract/verification.ts'
import { dayMs } from '../../../../contract/time.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database } = venue
const chinese = { name: '金丝雀', idNumber: '11010519491231002X', nationality: 'CN' }
const uploadPhotos = async (member: MemberClient) => ({
  frontUploadId: await venue.upload(member, 'id_front'),
  backUploadId: await venue.upload(member, 'id_back'),
})
const submit = async (member: MemberClient, change: object = {}) =>
  member.send('POST', '/verification', { ...chinese, ...(await uploadPhotos(member)), ...change })
const getVerification = async (member: MemberClient): Promise<Verification> =>
  (await member.get<Verification>('/verification')).body

describe('submit', () => {
  it('changes the status from none to under review', async () => {
    const member = await venue.createMember()
    expect(await getVerification(member)).toEqual({
      status: 'none',
      reason: null,
      submittedAt: null,
      decidedAt: null,
      version: 0,
    })
    const reply = await submit(member)
    expect([reply.status, reply.body]).toEqual([
      201,
      { status: 'under_review', submittedAt: venue.clock.now() },
    ])
    expect(await getVerification(member)).toMatchObject({ status: 'under_review', version: 1 })
    expect((await member.get<User>('/me')).body.verification).toBe('under_review')
    expect(venue.bus.eventsFor(member.id, 'verification')).toEqual([await getVerification(member)])
  })

  it('accepts the names of Chinese nationals that the operator names', async () => {
    const chineseNames = { maxLength: 20, middleDot: true }
    const other = await withVenue({ database, operatorConfig: { chineseNames } })
    const member = await other.createMember()
    expect((await member.get<VenueConfig>('/config')).body.chineseNames).toEqual(chineseNames)
    const photos = {
      frontUploadId: await other.upload(member, 'id_front'),
      backUploadId: await other.upload(member, 'id_back'),
    }
    const submitAs = (name: string) => member.send('POST', '/verification', { ...chinese, ...photos, name })
    expect((await submitAs('买买提·艾力')).status).toBe(201)
  })

  it.each([
    [{ name: '' }, { name: 'REQUIRED' }],
    [{ name: undefined }, { name: 'REQUIRED' }],
    [{ name: '李' }, { name: 'NAME_FORMAT' }],
    [{ name: 'Li Lei' }, { name: 'NAME_FORMAT' }],
    [{ name: '一二三四五六' }, { name: 'NAME_FORMAT' }],
    [{ name: '买买提·艾力' }, { name: 'NAME_FORMAT' }],
    [{ idNumber: '' }, { idNumber: 'REQUIRED' }],
    [{ idNumber: '1101051949123100' }, { idNumber: 'ID_FORMAT' }],
    [{ idNumber: 'X1010519491231002X' }, { idNumber: 'ID_FORMAT' }],
    [
      { name: 'Li', idNumber: '1' },
      { name: 'NAME_FORMAT', idNumber: 'ID_FORMAT' },
    ],
    [{ nationality: 'SG', name: '李雷', idNumber: 'S-1' }, { idNumber: 'ID_FORMAT' }],
    [{ nationality: 'SG', name: '<b>x', idNumber: 'S1234567D' }, { name: 'NAME_FORMAT' }],
    [{ nationality: 'China' }, { nationality: 'TOO_LONG' }],
    [{ nationality: 'cn' }, { nationality: 'INVALID' }],
    [{ nationality: 'ZZ' }, { nationality: 'INVALID' }],
    [{ frontUploadId: '' }, { frontUploadId: 'PHOTO_REQUIRED' }],
    [{ frontUploadId: undefined }, { frontUploadId: 'PHOTO_REQUIRED' }],
    [{ backUploadId: 'nothing' }, { backUploadId: 'PHOTO_REQUIRED' }],
    [{ level: 5 }, { level: 'UNKNOWN_FIELD' }],
  ])('rejects %j with %j', async (change, fields) => {
    const member = await venue.createMember()
    const reply = await submit(member, change)
    expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
    expect((await getVerification(member)).status).toBe('none')
  })

  it.each([
    { nationality: 'SG', name: 'Anne-Marie O’Neil'.replace('’', "'"), idNumber: 'S1234567D' },
    { nationality: 'FR', name: 'Élodie d’Été'.replace('’', "'"), idNumber: '12AB' },
    { nationality: 'CN', name: '欧阳娜娜', idNumber: '110105491231002' },
  ])('accepts %j', async (change) => {
    expect((await submit(await venue.createMember(), change)).status).toBe(201)
  })

  it('accepts only unused photos of the member for the right side', async () => {
    const [member, other] = [await venue.createMember(), await venue.createMember()]
    const { frontUploadId, backUploadId } = await uploadPhotos(member)
    const theirs = await uploadPhotos(other)
    const form = { ...chinese, frontUploadId, backUploadId }
    const invalidForms = [
      [
        { ...form, frontUploadId: backUploadId, backUploadId: frontUploadId },
        ['frontUploadId', 'backUploadId'],
      ],
      [{ ...form, frontUploadId: theirs.frontUploadId }, ['frontUploadId']],
      [{ ...form, backUploadId: frontUploadId }, ['backUploadId']],
    ] as const
    for (const [body, fields] of invalidForms) {
      const reply = await member.send('POST', '/verification', body)
      expect([reply.status, Object.keys(reply.fields ?? {})]).toEqual([400, fields])
    }
    expect((await member.send('POST', '/verification', form)).status).toBe(201)
    await venue.verifications.office.reject(member.id, 'Blurred', 'mei')
    expect((await member.send('POST', '/verification', form)).fields).toEqual({
      frontUploadId: 'PHOTO_REQUIRED',
      backUploadId: 'PHOTO_REQUIRED',
    })
  })

  it('accepts one submission at a time, also concurrently', async () => {
    const member = await venue.createMember()
    const forms = await Promise.all([uploadPhotos(member), uploadPhotos(member), uploadPhotos(member)])
    const replies = await Promise.all(
      forms.map((form) => member.send('POST', '/verification', { ...chinese, ...form })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect((await submit(member)).code).toBe('ALREADY_PENDING')
  })
})

describe('back office', () => {
  it('approves a submission finally', async () => {
    const member = await venue.createMember()
    await submit(member)
    await venue.clock.advance(5)
    await venue.verifications.office.approve(member.id, 'mei')
    expect(await getVerification(member)).toMatchObject({
      status: 'verified',
      version: 2,
      decidedAt: venue.clock.now(),
    })
    expect((await member.get<User>('/me')).body.verification).toBe('verified')
    const again = await submit(member)
    expect([again.status, again.code]).toEqual([409, 'ALREADY_VERIFIED'])
    await expect(venue.verifications.office.approve(member.id, 'mei')).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(venue.verifications.office.reject(member.id, 'x', 'mei')).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
      { key: 'verificationSuccessful' },
    ])
  })

  it('rejects a submission with a reason, after which the member may resubmit', async () => {
    const member = await venue.createMember()
    await submit(member)
    const { items } = await venue.verifications.office.list({ limit: 100 }, { status: 'under_review' })
    const first = items.find(({ memberId }) => memberId === member.id)
    await venue.verifications.office.reject(first!.id, 'Photo is blurred', 'mei')
    expect(await getVerification(member)).toMatchObject({
      status: 'rejected',
      reason: 'Photo is blurred',
      version: 2,
    })
    await venue.clock.advance(1)
    expect((await submit(member)).status).toBe(201)
    expect(await getVerification(member)).toMatchObject({ status: 'under_review', reason: null, version: 3 })
    const versions = venue.bus
      .eventsFor<Verification>(member.id, 'verification')
      .map(({ version }) => version)
    expect(versions).toEqual([1, 2, 3])
  })

  it('shows personal data only in show, of which the office writes an audit row', async () => {
    const member = await venue.createMember()
    await submit(member)
    const { items } = await venue.verifications.office.list({ limit: 100 })
    expect(JSON.stringify(items)).not.toContain(chinese.name)
    expect(await venue.verifications.office.show(member.id)).toMatchObject(chinese)
    expect((await venue.office('GET', `/verifications/${member.id}`)).body).toMatchObject(chinese)
    const acts = await venue.actLog.list({ limit: 1 })
    expect(acts.items).toMatchObject([{ actor: 'mei', act: 'view', memberId: member.id }])
    await expect(venue.verifications.office.show('nothing')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('stores name and number encrypted', async () => {
    const { rows } = await database.pool.query<{ row: string }>('SELECT v::text AS row FROM verification v')
    const text = rows.map(({ row }) => row).join('\n')
    for (const canary of [chinese.name, chinese.idNumber]) {
      expect(text.includes(canary)).toBe(false)
      expect(text.includes(Buffer.from(canary).toString('hex'))).toBe(false)
    }
  })
})

describe('photos of a rejected submission', () => {
  const sweep = async () => {
    const job = venue.modules.jobs.find(({ name }) => name === 'remove photos of rejected verifications')
    return job!.run()
  }
  const files = () => readdir(join(venue.dataDir, 'uploads'))
  const submitWithPhotos = async (member: MemberClient) => {
    const photoIds = await uploadPhotos(member)
    await submit(member, photoIds)
    return photoIds
  }

  it('are removed 30 days after the decision; the submission and the act log stay', async () => {
    const [rejected, verified, waiting] = [
      await venue.createMember(),
      await venue.createMember(),
      await venue.createMember(),
    ]
    const removed = await submitWithPhotos(rejected)
    const retained = [await submitWithPhotos(verified), await submitWithPhotos(waiting)]
    await venue.uploads.viewForOffice(removed.frontUploadId, 'mei')
    await venue.verifications.office.reject(rejected.id, 'Photo is blurred', 'mei')
    await venue.verifications.office.approve(verified.id, 'mei')
    const again = await submitWithPhotos(rejected)
    await venue.clock.jumpBy(30 * dayMs - 1)
    await sweep()
    expect(await files()).toEqual(expect.arrayContaining(Object.values(removed)))
    await venue.clock.advance(1)
    const [first, second] = await Promise.all([sweep(), sweep()])
    expect(Number(first) + Number(second)).toBe(2)

    for (const id of Object.values(removed)) {
      expect(await files()).not.toContain(id)
      await expect(venue.uploads.viewForOffice(id, 'mei')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    for (const id of [...retained, again].flatMap((photoIds) => Object.values(photoIds))) {
      expect(await files()).toContain(id)
      await venue.uploads.viewForOffice(id, 'mei')
    }
    const { items } = await venue.verifications.office.list({ limit: 100 })
    const removedAt = venue.clock.now()
    expect(items.find(({ frontUploadId }) => frontUploadId === removed.frontUploadId)).toMatchObject({
      status: 'rejected',
      reason: 'Photo is blurred',
      photosRemovedAt: removedAt,
    })
    expect(await venue.verifications.office.show(rejected.id)).toMatchObject({
      photosRemovedAt: null,
    })
    const views = await venue.actLog.list({ limit: 10 }, { subjectId: removed.frontUploadId })
    expect(views.items).toMatchObject([{ actor: 'mei', act: 'view', memberId: rejected.id }])
    expect(await sweep()).toBe(0)
  })

  it('are removed at the next start if a stop left the file', async () => {
    const member = await venue.createMember()
    const { frontUploadId } = await submitWithPhotos(member)
    await venue.verifications.office.reject(member.id, 'Blurred', 'mei')
    await database.pool.query('UPDATE upload SET removed_at = 1 WHERE id = $1', [frontUploadId])
    await venue.uploads.removeOrphans()
    expect(await files()).not.toContain(frontUploadId)
  })

  it('are the only pictures that the database allows to be removed', async () => {
    const member = await venue.createMember()
    const { frontUploadId } = await submitWithPhotos(member)
    const write = (sql: string) => database.pool.query(`${sql} WHERE id = $1`, [frontUploadId])
    const dbError = { code: '23001' }
    await expect(write('UPDATE upload SET removed_at = 1')).rejects.toMatchObject(dbError)
    await venue.verifications.office.reject(member.id, 'Blurred', 'mei')
    await expect(write("UPDATE upload SET removed_at = 1, type = 'image/png'")).rejects.toMatchObject(dbError)
    await expect(write('DELETE FROM upload')).rejects.toMatchObject(dbError)
    await write('UPDATE upload SET removed_at = 1')
    await expect(write('UPDATE upload SET removed_at = NULL')).rejects.toMatchObject(dbError)
    await expect(write('UPDATE upload SET removed_at = 2')).rejects.toMatchObject(dbError)
  })
})
