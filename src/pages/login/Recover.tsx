import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordKindOf } from '../../features/account/passwordKind.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { Button, EmptyState, Field, Segments } from '../../ui/index.ts'
import { FormPage } from './FormPage.tsx'
import styles from './FormPage.module.css'
import { PhoneField } from './PhoneField.tsx'
import { RecoverNewPassword } from './RecoverNewPassword.tsx'
import { useRecover } from './useRecover.ts'

/** Asks for a reset of a forgotten password; with the code of a link in the address, sets the new one. */
export function Recover() {
  const [query] = useQuery()
  const code = query.get('code')
  const kind = passwordKindOf(query)
  return code === null ? (
    <RecoverRequest initialKind={kind} />
  ) : (
    <RecoverNewPassword code={code} kind={kind} needsFirstCode={query.get('calls') === '2'} />
  )
}

function RecoverRequest({ initialKind }: { initialKind: ReturnType<typeof passwordKindOf> }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState(initialKind)
  const [sent, setSent] = useState(false)
  const { fields, phone, send, busy, isWorking, problem } = useRecover(kind, () => setSent(true))
  return (
    <FormPage
      title={t('title.recover')}
      backTo={paths.login}
      submitLabel={t('recover.submit')}
      busy={busy}
      isWorking={isWorking}
      problem={problem}
      onSubmit={send}
      done={
        sent && (
          <EmptyState
            icon="clock"
            title={t('recover.sentTitle')}
            action={
              <Button variant="secondary" href={hrefTo(paths.login)}>
                {t('recover.toLogin')}
              </Button>
            }
          >
            {t('recover.sentText')}
          </EmptyState>
        )
      }
    >
      <p className={styles.lead}>{t('recover.lead')}</p>
      <Segments
        block
        label={t('recover.which')}
        items={[
          { value: 'login', label: t('settings.loginPassword') },
          { value: 'transaction', label: t('settings.transactionPassword') },
        ]}
        value={kind}
        onChange={setKind}
      />
      <Field
        {...fields.bind('account')}
        label={t('register.account')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PhoneField
        binding={fields.bind('phone')}
        rules={phone.rules}
        selected={phone.ruleOf(fields.texts.country)}
        onCountry={(country) => fields.set('country', country)}
      />
    </FormPage>
  )
}
