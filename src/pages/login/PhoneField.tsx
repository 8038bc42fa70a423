import { useTranslation } from 'react-i18next'
import { phoneCountryOf, type PhoneCountry } from '../../../contract/phones.ts'
import { useCountries } from '../../hooks/useCountries.ts'
import { Field, Select } from '../../ui/index.ts'
import type { FieldBinding } from '../../features/forms/useFields.ts'

export type PhoneFieldProps = {
  binding: FieldBinding
  /** The countries that the venue offers; with only one there is no select. */
  rules: readonly PhoneCountry[]
  selected: PhoneCountry
  onCountry: (country: string) => void
}

/** A phone number after its dialling code, with a country select if the venue offers more than one. */
export function PhoneField({ binding, rules, selected, onCountry }: PhoneFieldProps) {
  const { t } = useTranslation()
  const countries = useCountries()
  return (
    <>
      {rules.length > 1 && (
        <Select
          name="country"
          label={t('register.country')}
          options={countries.filter(({ value }) => phoneCountryOf(rules, value))}
          value={selected.country}
          onValue={onCountry}
        />
      )}
      <Field
        {...binding}
        label={t('register.phone')}
        prefix={`+${selected.dialCode}`}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
      />
    </>
  )
}
