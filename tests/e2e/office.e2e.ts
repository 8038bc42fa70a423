import { expect as expectNow, test } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { postToBackOffice } from './backOffice.ts'
import { expect } from './expect.ts'
import { ownVenue } from './ownVenue.ts'

// It changes what all members of a venue share.
ownVenue(5)
test.use({ viewport: { width: 1280, height: 800 } })

const password = 'a password of this venue 7'

test('an admin sets up an account, invites a clerk, and puts the site into maintenance by keyboard', async ({
  page,
}) => {
  const { enrolment } = await postToBackOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'boss',
    role: 'admin',
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))

  await test.step('the link of the invitation sets the password and logs in', async () => {
    await page.goto(`/office/#/enrol/${enrolment.code}`)
    await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
    await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
    expectNow(await axeViolations(page, 'enrolment')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.role.admin, { exact: true })).toBeVisible()
  })

  await test.step('a clerk is invited', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await expect(page.getByRole('row', { name: 'boss' })).toBeVisible()
    expectNow(await axeViolations(page, 'staff')).toEqual([])
    await page.keyboard.press('+')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel(texts.login.name)).toBeFocused()
    await page.keyboard.type('mei.lin')
    expectNow(await axeViolations(page, 'dialog')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row', { name: 'mei.lin' })).toBeVisible()
    await expect(page.getByText(/\/office\/#\/enrol\/./)).toBeVisible()
  })

  await test.step('the site closes and opens', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(page.getByText(texts.site.up)).toBeVisible()
    await page.keyboard.press('b')
    await expect(page.getByRole('dialog').getByLabel(texts.site.opensAt)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.site.maintenance, { exact: true })).toBeVisible()
    expectNow(await axeViolations(page, 'maintenance')).toEqual([])
    await page.keyboard.press('o')
    await expect(page.getByRole('dialog').getByRole('button', { name: texts.site.open })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.site.up)).toBeVisible()
  })

  await test.step('a command is found by its name, and the audit says who did what', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(texts.nav.audit)
    await expect(page.getByRole('option', { name: texts.nav.audit }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /boss.*mei\.lin|boss/ }).first()).toBeVisible()
    expectNow(await axeViolations(page, 'audit')).toEqual([])
  })

  await test.step('all of it came from the office and its calls, and a member loads nothing of it', async () => {
    expectNow(requested.filter((path) => !/^\/(office|desk)\/|^\/icon/.test(path))).toEqual([])
    const ofMember: string[] = []
    const memberPage = await page.context().newPage()
    memberPage.on('request', (request) => ofMember.push(new URL(request.url()).pathname))
    await memberPage.goto('/')
    await expect(memberPage.getByRole('heading').first()).toBeVisible()
    expectNow(ofMember.filter((path) => path.startsWith('/office'))).toEqual([])
  })

  await test.step('after the log-out nothing is shown', async () => {
    await page.getByRole('button', { name: texts.account.logOut }).click()
    await expect(page.getByRole('heading', { name: texts.login.title })).toBeVisible()
    await expect(page.getByText('mei.lin')).toHaveCount(0)
  })
})
