import type { patients } from '../../../src-shared/contract/patients.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { PatientService } from './service.ts';

export const patientRoutes = (service: PatientService): Handlers<typeof patients> => ({
  list: (_input, { caller }) => service.list(caller),
  create({ body }, call) {
    const created = service.create(
      { display_name: body.display_name, date_of_birth: body.date_of_birth ?? null, sex: body.sex ?? null },
      call.caller,
    );
    call.setRecordId(created.id);
    return created;
  },
  get: ({ params }, { caller }) => service.get(params.id, caller),
  update: ({ params, body }, { caller }) =>
    service.update(
      params.id,
      {
        ...(body.display_name !== undefined && { display_name: body.display_name }),
        ...(body.date_of_birth !== undefined && { date_of_birth: body.date_of_birth }),
        ...(body.sex !== undefined && { sex: body.sex }),
      },
      caller,
    ),
  remove: ({ params }, { caller }) => service.remove(params.id, caller),
});
