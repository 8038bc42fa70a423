import i18next from 'i18next'
import { useState } from 'react'
import { staffSessionRoutes } from '../../../contract/office/staff.ts'
import { fieldTexts } from '../../../src/api/failureText.ts'
import { themes, type Theme } from '../../../src/state/preferences.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { call } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useRun } from '../../data/useRun.ts'
import { changeLanguage, currentLanguage, useTexts } from '../../i18n.ts'
import { officeLanguages, preferences, usePreferences, type OfficeLanguage } from '../../preferences.ts'
import { useSession } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import { Choice } from '../../ui/Control.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'
import { Factors } from './Factors.tsx'
import styles from './Account.module.css'

/** The user's own account: role, display, password. */
export function Account() {
  const t = useTexts()
  const { staff, expiresAt } = useSession()
  const { theme, sound } = usePreferences()
  return (
    <Screen title={t('account.title')}>
      <Scroll>
        <Block title={staff.name}>
          <Facts
            items={[
              { label: t('staff.role'), value: t(`role.${staff.role}`) },
              { label: t('account.ends'), value: <When at={expiresAt} /> },
            ]}
          />
        </Block>
        <Block title={t('account.look')}>
          <div className={styles.choices}>
            <Choice
              label={t('account.language')}
              value={currentLanguage()}
              options={officeLanguages.map((value) => ({ value, label: languageNames[value].own }))}
              onValue={(value) => void changeLanguage(value as OfficeLanguage)}
            />
            <Choice
              label={t('account.theme')}
              value={theme}
              options={themes.map((value) => ({ value, label: t(`theme.${value}`) }))}
              onValue={(value) => {
                preferences.theme = value as Theme
              }}
            />
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={sound}
                onChange={(event) => {
                  preferences.sound = event.currentTarget.checked
                }}
              />
              {t('account.sound')}
            </label>
          </div>
        </Block>
        <Block title={t('factor.title')}>
          <Factors />
        </Block>
        <Block title={t('account.password')}>
          <PasswordForm />
        </Block>
      </Scroll>
    </Screen>
  )
}

function PasswordForm() {
  const t = useTexts()
  const format = useOfficeFormat()
  const [oldPassword, setOld] = useState('')
  const [newPassword, setNew] = useState('')
  const { run, busy, failure } = useRun(
    () => call(staffSessionRoutes.password, { body: { oldPassword, newPassword } }),
    () => {
      setOld('')
      setNew('')
      toast({ text: t('account.passwordChanged'), kind: 'success' })
    },
  )
  const wrong = failure === undefined ? {} : fieldTexts(i18next.t, format, failure)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <Field
        label={t('account.oldPassword')}
        type="password"
        autoComplete="current-password"
        required
        value={oldPassword}
        error={wrong['oldPassword']}
        onChange={(event) => setOld(event.currentTarget.value)}
      />
      <Field
        label={t('account.newPassword')}
        hint={t('enrol.rule')}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        error={wrong['newPassword']}
        onChange={(event) => setNew(event.currentTarget.value)}
      />
      {Object.keys(wrong).length === 0 && <FailureLine failure={failure} />}
      <Button type="submit" busy={busy}>
        {t('account.change')}
      </Button>
    </form>
  )
}
