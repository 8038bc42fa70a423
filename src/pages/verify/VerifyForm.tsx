import { useId, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { defaultCountry } from '../../text/countries.ts'
import { useCountries } from '../../hooks/useCountries.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, Icon, Select } from '../../ui/index.ts'
import { Problem } from '../../features/forms/Problem.tsx'
import { IdGlyph } from './IdGlyph.tsx'
import { PhotoTile } from '../../features/photos/PhotoTile.tsx'
import type { Photo } from '../../features/photos/usePhoto.ts'
import { useVerifyForm } from './useVerifyForm.ts'
import styles from './Verify.module.css'

export type VerifyFormProps = {
  memberId: string
  /** Why the last submission was rejected; undefined if there was none. */
  reason: string | undefined
  /** Reloads the verification. */
  onFinished: () => void
}

/** Name, number, nationality and both sides of the document. The input is stored as a draft until it is sent. */
export function VerifyForm({ memberId, reason, onFinished }: VerifyFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const { fields, front, back, submit, busy, problem } = useVerifyForm(memberId, onFinished)
  const countries = useCountries()
  const isChinese = fields.texts.nationality === defaultCountry
  const uploadingSide = (
    [
      ['front', front],
      ['back', back],
    ] as const
  ).find(([, { photo }]) => photo.state === 'sending' || photo.state === 'preparing')?.[0]
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    submit(event.currentTarget)
  }
  return (
    <Page
      ground="market"
      title={t('title.verify')}
      backTo={paths.user}
      receives="events"
      footer={
        <>
          <Problem text={problem} />
          <SubmitButton
            form={id}
            busy={busy}
            disabledReason={uploadingSide && t(`verify.waitingFor.${uploadingSide}`)}
            note={t('verify.draftKept')}
          >
            {t('verify.submit')}
          </SubmitButton>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={send}>
        {reason !== undefined && <Rejected reason={reason} />}
        <Select
          name="nationality"
          label={t('verify.nationality')}
          options={countries}
          value={fields.texts.nationality}
          onValue={(value) => fields.set('nationality', value)}
        />
        <Field {...fields.bind('name')} label={t('verify.name')} autoComplete="name" />
        <Field
          {...fields.bind('idNumber')}
          label={t('verify.idNumber')}
          hint={t(isChinese ? 'verify.idHintChina' : 'verify.idHint')}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
        />
        <Photos front={front} back={back} />
      </form>
    </Page>
  )
}

function Rejected({ reason }: { reason: string }) {
  const { t } = useTranslation()
  return (
    <div className={styles.rejected}>
      <Icon name="warning-circle-fill" size={20} />
      <div>
        <p>{t('verify.rejected')}</p>
        {reason !== '' && <p>{t('verify.reason', { reason })}</p>}
      </div>
    </div>
  )
}

function Photos({ front, back }: { front: Photo; back: Photo }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.photos}>
      <legend className={styles.legend}>{t('verify.photos')}</legend>
      <div className={styles.tiles}>
        <PhotoTile name="front" label={t('verify.front')} photo={front} glyph={<IdGlyph side="front" />} />
        <PhotoTile name="back" label={t('verify.back')} photo={back} glyph={<IdGlyph side="back" />} />
      </div>
      <p className={styles.privacy}>
        <Icon name="shield-check" size={20} />
        <span>{t('verify.privacy')}</span>
      </p>
    </fieldset>
  )
}
