import { notFound } from '@tanstack/react-router';
import { isId } from '../client/search-params.ts';
import { NotFound } from './frame/not-found.tsx';

/** An address with something else than an id of a record leads nowhere. */
export const oneRecord = {
  beforeLoad: ({ params }: { params: { id: string } }) => {
    if (!isId(params.id)) throw notFound();
  },
  notFoundComponent: NotFound,
};
