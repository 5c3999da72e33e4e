import { useState } from 'react';
import { addressOf, contract } from '../../client/api.ts';

/** The first page of a document, small; a sheet with lines if there is no picture of it. Decorative. */
export function PageMini({ id }: { id: number }) {
  const [hasFailed, setFailed] = useState(false);
  if (!hasFailed)
    return (
      <img
        className="page-mini"
        alt=""
        loading="lazy"
        src={addressOf(contract.documents.thumbnail, { params: { id } })}
        onError={() => setFailed(true)}
      />
    );
  return (
    <span className="page-mini page-mini-lines" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
