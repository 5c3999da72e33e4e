import type { users } from '../../../src-shared/contract/users.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { UserService } from './service.ts';

export const userRoutes = (service: UserService): Handlers<typeof users> => ({
  list: () => service.list(),
  async create({ body }, call) {
    const user = await service.create(body);
    call.setRecordId(user.id);
    call.note({ role: user.role });
    return user;
  },
  async update({ params, body }, call) {
    const { current_password: _proof, ...changes } = body;
    const row = await service.update(params.id, body, call.caller);
    call.note({ changed: Object.keys(changes), ...(body.role && { role: body.role }) });
    return row;
  },
  remove({ params }, { caller }) {
    service.remove(params.id, caller);
    return { ok: true };
  },
  matrix: () => service.matrix(),
  access: ({ params }) => service.access(params.id),
  grant({ params, body }, call) {
    const grants = service.grant(params.id, body.patient_id, body.role);
    call.note({ patient_id: body.patient_id, role: body.role });
    return grants;
  },
  revoke({ params }, call) {
    service.revoke(params.id, params.patient_id);
    call.note({ patient_id: params.patient_id });
    return { ok: true };
  },
});
