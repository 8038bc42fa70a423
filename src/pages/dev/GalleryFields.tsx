import { useState } from 'react'
import { AmountLine, Checkbox, Field, Select, TextArea, TextLink } from '../../ui/index.ts'
import { GallerySample } from './GallerySample.tsx'
import styles from './Gallery.module.css'

const reasons = [
  { value: 'price', label: 'The price' },
  { value: 'time', label: 'The time' },
]

/** Every kind of field and its states. */
export function GalleryFields() {
  const [text, setText] = useState('')
  const [bank, setBank] = useState('')
  const [agreed, setAgreed] = useState(false)
  return (
    <GallerySample title="Fields">
      <div className={styles.stack}>
        <Field
          label="Account"
          placeholder="6 to 12 characters"
          hint="6 to 12 letters, digits or underscores."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Field
          label="Phone"
          prefix="+86"
          defaultValue="126 0013 8000"
          error="Enter an 11-digit mobile number that starts with 13, 14, 15, 17, 18 or 19."
        />
        <Field
          label="Login password"
          type="password"
          defaultValue="secret"
          reveal={{ show: 'Show', hide: 'Hide' }}
        />
        <Field label="Amount" figure suffix="USD" defaultValue="12,000.00" error="Enter 10,240.50 or less." />
        <Field label="Bank" locked value="China Merchants Bank" hint="Changed by customer service only." />
        <Select
          label="Reason"
          placeholder="Choose"
          value={bank}
          onValue={setBank}
          options={reasons}
          error={bank === '' ? 'Choose a reason.' : ''}
        />
        <TextArea label="Message" placeholder="What happened?" />
        <AmountLine
          label="Amount"
          unit="USD"
          value={text}
          placeholder="0.00"
          onValue={setText}
          hint="Available 10,240.50"
        />
        <Checkbox checked={agreed} onChange={setAgreed} error={agreed ? '' : 'Tick the box to go on.'}>
          I understand that I can lose all of an order’s amount.{' '}
          <TextLink href="#/dev/gallery">Risk notice</TextLink>
        </Checkbox>
      </div>
    </GallerySample>
  )
}
