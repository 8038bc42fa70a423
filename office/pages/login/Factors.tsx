import { useState } from 'react'
import { staffSessionRoutes as routes } from '../../../contract/office/staff.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { passkeyNameMax } from '../../../contract/secondFactors.ts'
import { passkeySupport } from '../../../src/features/passkeys/passkeys.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import type { Failure } from '../../../streams/index.ts'
import { call } from '../../api.ts'
import { useOfficeCall, useRefreshAll } from '../../data/useOfficeCall.ts'
import { useTexts, type TextKey } from '../../i18n.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { When } from '../../ui/When.tsx'
import { NewApp, RecoveryCodes } from './NewApp.tsx'
import { addPasskey } from './passkeyCalls.ts'
import styles from './Factors.module.css'

type Setup = RouteAnswer<typeof routes.beginTotp>
type Outcome = { failure: Failure } | { problem: TextKey } | null
type Change = (work: () => Promise<Outcome>) => void

/**
 * The user's second factors, and changes to them, which the password confirms. `onAdded` is called once there is a new
 * one.
 */
export function Factors({ onAdded }: { onAdded?: () => void }) {
  const t = useTexts()
  const [password, setPassword] = useState('')
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [outcome, setOutcome] = useState<Outcome>(null)
  const refresh = useRefreshAll()
  const [change, busy] = useAction(async (work: () => Promise<Outcome>) => {
    setOutcome(null)
    setOutcome(await work())
  })
  const done = (): null => {
    setPassword('')
    toast({ text: t('factor.done'), kind: 'success' })
    void refresh()
    return null
  }
  if (codes !== undefined)
    return (
      <RecoveryCodes
        codes={codes}
        onStored={() => {
          setCodes(undefined)
          onAdded?.()
        }}
      />
    )
  if (setup !== undefined)
    return (
      <NewApp
        setup={setup}
        onClose={() => setSetup(undefined)}
        onAdded={(codes) => {
          setSetup(undefined)
          setCodes(codes)
          done()
        }}
      />
    )
  const begin = (): void =>
    change(async () => {
      const result = await call(routes.beginTotp, { body: { password } })
      if (!result.ok) return { failure: result.failure }
      setSetup(result.value)
      return null
    })
  return (
    <div className={styles.stack}>
      <Field
        label={t('factor.confirm')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {outcome !== null && 'problem' in outcome && <p role="alert">{t(outcome.problem)}</p>}
      <FailureLine failure={outcome !== null && 'failure' in outcome ? outcome.failure : undefined} />
      <Lists {...{ password, busy, change, begin, done, onAdded }} />
    </div>
  )
}

type ListsProps = {
  password: string
  busy: boolean
  change: Change
  begin: () => void
  done: () => null
  onAdded: (() => void) | undefined
}

/** What there is, and what can be added and removed. */
function Lists({ password, busy, change, begin, done, onAdded }: ListsProps) {
  const t = useTexts()
  const { data, failure } = useOfficeCall(routes.factors, {})
  const cannot = busy || password === ''
  const remove = (id: string | null): void =>
    change(async () => {
      const body = { password }
      const result =
        id === null
          ? await call(routes.removeTotp, { body })
          : await call(routes.removePasskey, { params: { id }, body })
      return result.ok ? done() : { failure: result.failure }
    })
  if (data === undefined) return <FailureLine failure={failure} />
  return (
    <>
      <FailureLine failure={failure} />
      <div className={styles.row}>
        <h3>{t('factor.app')}</h3>
        {data.totp && (
          <Button size="small" variant="text" disabled={cannot} onClick={() => remove(null)}>
            {t('factor.remove')}
          </Button>
        )}
      </div>
      {data.totp && (
        <p className={styles.quiet}>
          {t('factor.appAdded')} <When at={data.totp.addedAt} /> · {t('factor.codesLeft')}{' '}
          {data.recoveryCodesLeft}
        </p>
      )}
      <Button size="small" disabled={cannot} onClick={begin}>
        {t(data.totp ? 'factor.changeApp' : 'factor.setUpApp')}
      </Button>
      <h3>{t('factor.passkeys')}</h3>
      {data.passkeys.map((passkey) => (
        <div key={passkey.id} className={styles.row}>
          <span>
            {passkey.name} · <When at={passkey.createdAt} />
          </span>
          <Button size="small" variant="text" disabled={cannot} onClick={() => remove(passkey.id)}>
            {t('factor.remove')}
          </Button>
        </div>
      ))}
      {passkeySupport() === 'usable' ? (
        <NewPasskey {...{ password, cannot, change, done, onAdded }} />
      ) : (
        <p className={styles.quiet}>{t('factor.noPasskeys')}</p>
      )}
    </>
  )
}

type NewPasskeyProps = Pick<ListsProps, 'password' | 'change' | 'done' | 'onAdded'> & { cannot: boolean }

function NewPasskey({ password, cannot, change, done, onAdded }: NewPasskeyProps) {
  const t = useTexts()
  const [name, setName] = useState('')
  const add = (): void =>
    change(async () => {
      const result = await addPasskey(password, name.trim() === '' ? t('factor.passkeys') : name.trim())
      if (!('value' in result)) return result
      setName('')
      onAdded?.()
      return done()
    })
  return (
    <>
      <Field
        label={t('factor.passkeyName')}
        maxLength={passkeyNameMax}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button size="small" variant="secondary" disabled={cannot} onClick={add}>
        {t('factor.addPasskey')}
      </Button>
    </>
  )
}
