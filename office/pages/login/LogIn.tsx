import { useEffect, useRef, useState } from 'react'
import { staffSessionRoutes } from '../../../contract/office/staff.ts'
import { passkeySupport } from '../../../src/features/passkeys/passkeys.ts'
import { useWork } from '../../../src/features/work/useWork.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import type { Failure } from '../../../streams/index.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { CodeField } from '../../../src/ui/CodeField.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { call } from '../../api.ts'
import { useTexts, type TextKey } from '../../i18n.ts'
import { setSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Entrance } from './Entrance.tsx'
import { logInWithPasskey } from './passkeyCalls.ts'

/** A member of staff logs in with a passkey, or with name, password and, if an app is set up, its code. */
export function LogIn() {
  const t = useTexts()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure>()
  const [problem, setProblem] = useState<TextKey>()
  const [sendWithWork, isWorking] = useWork()
  const forget = (): void => {
    setFailure(undefined)
    setProblem(undefined)
  }
  const [logIn, busy] = useAction(async () => {
    forget()
    const body = { name: name.trim(), password, ...(code !== null && { code }) }
    const result = await sendWithWork((work) =>
      call(staffSessionRoutes.logIn, { body: { ...body, ...work } }),
    )
    if (result.ok) return setSession(result.value)
    const { failure } = result
    if (failure.kind !== 'rejected' || failure.code !== 'SECOND_FACTOR_REQUIRED') return setFailure(failure)
    if (failure.params['totp'] === true) setCode('')
    else setProblem('login.usePasskey')
  })
  const [usePasskey, isWaiting] = useAction(async () => {
    forget()
    const result = await logInWithPasskey()
    if ('value' in result) setSession(result.value)
    else if ('problem' in result) setProblem(result.problem)
    else setFailure(result.failure)
  })
  return (
    <Entrance title={t('login.title')} onSubmit={logIn}>
      {code === null ? (
        <Names {...{ name, setName, password, setPassword }} />
      ) : (
        <Code code={code} onCode={setCode} />
      )}
      <FailureLine failure={failure} />
      <div role="status">{isWorking && <p>{t('login.working')}</p>}</div>
      {problem !== undefined && <p role="alert">{t(problem)}</p>}
      <Button type="submit" block busy={busy}>
        {t('login.submit')}
      </Button>
      {code === null && passkeySupport() === 'usable' && (
        <Button variant="secondary" block busy={isWaiting} onClick={usePasskey}>
          {t('login.passkey')}
        </Button>
      )}
      {code !== null && (
        <Button variant="text" block onClick={() => setCode(null)}>
          {t('login.back')}
        </Button>
      )}
    </Entrance>
  )
}

type NamesProps = {
  name: string
  setName: (name: string) => void
  password: string
  setPassword: (password: string) => void
}

/** The name has the focus when it appears: nothing else is done here, and the first letters are not lost. */
function Names({ name, setName, password, setPassword }: NamesProps) {
  const t = useTexts()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <>
      <Field
        ref={input}
        label={t('login.name')}
        autoComplete="username"
        autoCapitalize="none"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Field
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        required
        reveal={{ show: t('login.show'), hide: t('login.hide') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </>
  )
}

/** Has the focus when it appears: the person has just sent the password. */
function Code({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  const t = useTexts()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <CodeField
      ref={input}
      label={t('login.code')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      maxLength={32}
      required
      value={code}
      onValue={onCode}
    />
  )
}
